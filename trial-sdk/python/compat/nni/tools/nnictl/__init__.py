"""What scripts written for NNI take from ``nni.tools.nnictl``. The command ``nnictl`` itself is a program of its own."""
