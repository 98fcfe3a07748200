"""The verdict: rules over facts of a machine, an environment and a TensorFlow release. Never asks the hardware."""
