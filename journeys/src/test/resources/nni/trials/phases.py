"""Tries one set of parameters after another, until it has had enough of them or there are no more."""
import os

import nni

wanted = int(os.environ.get('WANTED', '3'))
for phase in range(wanted):
    parameters = nni.get_next_parameter()
    if parameters is None:
        print('no more')
        break
    nni.report_intermediate_result(parameters['x'] / 2)
    nni.report_final_result(parameters['x'])
