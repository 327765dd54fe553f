-- Of indexes that promise the same SQLite takes the last one: what still moves is to be found in this one, and not by
-- reading all that an experiment ever had.
drop index trials_live;

create index trials_live on trials (experiment, sequence) where phase <> 'SETTLED';
