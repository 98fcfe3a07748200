# A Blackwell desktop card: healthy for the driver, without kernels in stock TensorFlow wheels.
[system]
devices = 1
driver_version = 590.48.01
cuda_version = 13.1

[device 0]
name = NVIDIA GeForce RTX 5090
pci_bus_id = 00000000:01:00.0
pci_device = 2B8510DE
compute_capability = 12.0
architecture = 10
memory_mib = 32607
memory_reserved_mib = 505
memory_used_mib = sine 1200 26000 45
utilization_pct = sine 2 97 20
memory_utilization_pct = sine 1 55 20
encoder_pct = 0
decoder_pct = 0
temperature_c = sine 38 74 60
power_w = sine 32 561 20
power_limit_w = 575
power_default_w = 575
power_min_w = 400
power_max_w = 600
fan_pct = sine 0 58 60
fans = 2
performance_state = 1
clock_sm_mhz = sine 180 2850 20
clock_graphics_mhz = sine 180 2850 20
clock_memory_mhz = 14001
throttle = 0
pcie_generation = 5
pcie_width = 16
pcie_max_generation = 5
pcie_max_width = 16
pcie_tx_kb = noise 1000 900000 1
pcie_rx_kb = noise 1000 2400000 1
pcie_delay_ms = 20
compute_mode = default
persistence = off
display_active = on
display_attached = on
process = self compute 380
