"""Defaults of a command line, overridden by what the tuner says."""
import argparse

import nni
from nni.utils import merge_parameter

parser = argparse.ArgumentParser()
parser.add_argument('--script', type=str, default='')
parser.add_argument('--lr', type=float, default=0.5)
parser.add_argument('--batch_size', type=int, default=32)
args, _ = parser.parse_known_args()
args = merge_parameter(args, nni.get_next_parameter())
nni.report_final_result(args.lr * args.batch_size)
