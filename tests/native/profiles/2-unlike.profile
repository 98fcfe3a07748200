# Two cards of different generations in one desktop.
[system]
devices = 2
driver_version = 575.64.03
cuda_version = 12.9

[device *]
temperature_c = sine 40 66 45
utilization_pct = sine 0 90 25
memory_utilization_pct = sine 0 40 25
fan_pct = 30
fans = 2
throttle = 0
pcie_generation = 3
pcie_max_generation = 3
pcie_width = 8
pcie_max_width = 16
pcie_tx_kb = 12000
pcie_rx_kb = 48000
compute_mode = default
persistence = on
display_attached = off
clock_sm_mhz = 1800
clock_graphics_mhz = 1800
clock_memory_mhz = 7000

[device 0]
name = NVIDIA GeForce RTX 3060
pci_bus_id = 00000000:01:00.0
pci_device = 250310DE
compute_capability = 8.6
architecture = 7
memory_mib = 12288
memory_reserved_mib = 350
memory_used_mib = sine 900 8200 25
power_w = sine 25 165 25
power_limit_w = 170
power_default_w = 170
power_min_w = 100
power_max_w = 170
display_active = on

[device 1]
name = NVIDIA GeForce GTX 1080 Ti
pci_bus_id = 00000000:02:00.0
pci_device = 1B0610DE
compute_capability = 6.1
architecture = 4
memory_mib = 11264
memory_reserved_mib = 92
memory_used_mib = sine 300 9100 25
power_w = sine 20 240 25
power_limit_w = 250
power_default_w = 250
power_min_w = 125
power_max_w = 300
display_active = off
