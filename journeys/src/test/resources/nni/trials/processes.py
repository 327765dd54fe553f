"""Works in several processes and reports from the first."""
import multiprocessing

import nni


def score(number):
    return number * number


if __name__ == '__main__':
    nni.get_next_parameter()
    with multiprocessing.Pool(2) as pool:
        scores = pool.map(score, range(5))
    for value in scores:
        nni.report_intermediate_result(value)
    nni.report_final_result(sum(scores))
