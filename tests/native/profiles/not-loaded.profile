# The library is installed, the kernel module is not loaded.
[system]
devices = 1
fault = nvmlInitWithFlags - driver_not_loaded
fault = nvmlInit_v2 - driver_not_loaded
driver_version = 580.126.09
cuda_version = 13.0

[device *]
name = NVIDIA RTX A5000
pci_device = 223110DE
compute_capability = 8.6
architecture = 7
memory_mib = 24564
memory_reserved_mib = 440
memory_used_mib = sine 1000 20000 30
utilization_pct = sine 5 95 20
memory_utilization_pct = sine 2 50 20
temperature_c = sine 40 75 40
power_w = sine 25 228 20
power_limit_w = 230
power_default_w = 230
power_min_w = 100
power_max_w = 230
fan_pct = 35
fans = 1
clock_sm_mhz = 1695
clock_graphics_mhz = 1695
clock_memory_mhz = 8001
throttle = 0
pcie_generation = 4
pcie_width = 16
pcie_max_generation = 4
pcie_max_width = 16
pcie_tx_kb = 20000
pcie_rx_kb = 60000
compute_mode = default
persistence = on
ecc = off
display_active = off
display_attached = off
