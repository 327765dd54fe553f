-- Walked from its end, the index by metric has those without one first and equals in the wrong order: PostgreSQL would sort
-- all trials for each page that begins with the highest.
create index trials_by_metric_descending on trials (experiment, metric desc nulls last, sequence);
