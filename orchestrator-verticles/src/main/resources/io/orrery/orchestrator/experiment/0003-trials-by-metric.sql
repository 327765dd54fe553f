-- With the sequence in it, a page in the order of the metric is counted off in the index alone.
drop index trials_by_metric;

create index trials_by_metric on trials (experiment, metric, sequence);
