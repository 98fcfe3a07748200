"""From a template, answers and a plan to a verified bundle of files; knows neither hardware nor TensorFlow."""
