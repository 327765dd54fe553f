"""What scripts written for NNI take from ``nni.tools``."""
