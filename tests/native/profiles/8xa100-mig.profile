# Eight A100 80 GB with NVLink; card 3 is cut into slices.
[system]
devices = 8
driver_version = 570.172.08
cuda_version = 12.8

[device *]
name = NVIDIA A100-SXM4-80GB
serial = 1320000000000
pci_device = 20B210DE
pci_subsystem = 147F10DE
compute_capability = 8.0
architecture = 7
cores = 6912
memory_mib = 81920
memory_reserved_mib = 869
memory_used_mib = sine 2000 71000 50
utilization_pct = sine 12 99 30
memory_utilization_pct = sine 5 70 30
encoder_pct = 0
decoder_pct = 0
temperature_c = sine 33 62 60
memory_temperature_c = sine 40 74 60
slowdown_c = 92
shutdown_c = 95
power_w = sine 68 391 30
power_limit_w = 400
power_default_w = 400
power_min_w = 100
power_max_w = 400
performance_state = 0
clock_sm_mhz = sine 1095 1410 30
clock_graphics_mhz = sine 1095 1410 30
clock_memory_mhz = 1593
throttle = 0
pcie_generation = 4
pcie_width = 16
pcie_max_generation = 4
pcie_max_width = 16
pcie_tx_kb = noise 1000 4000000 1
pcie_rx_kb = noise 1000 9000000 1
pcie_delay_ms = 20
compute_mode = default
persistence = on
ecc = on
display_active = off
display_attached = off
mig_mode = off
nvlinks = 12
nvlink_version = 4
process_count = 2
process_memory_mib = 700

[device 3]
mig_mode = on
memory_used_mib = 11125
process_count = 0
slice = 3g.40gb 2 0 40448 11091 42 3
slice = 2g.20gb 3 0 19968 17 28 2
slice = 1g.10gb 9 0 9728 9 14 1
slice = 1g.10gb 10 0 9728 9 14 1
process = 4100180 compute 2296 2
process = 4100198 compute 7484 2
