-- With the sequence in it, a page in the order of the metric is counted off in the index alone.
drop index trials_by_metric;

create index trials_by_metric on trials (experiment, metric, sequence);

-- Of indexes that promise the same SQLite takes the last one: for what reads all rows of an experiment, that is to be the
-- one in whose order they were written.
drop index trials_by_sequence;

create unique index trials_by_sequence on trials (experiment, sequence);
