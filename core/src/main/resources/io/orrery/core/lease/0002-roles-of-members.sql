-- What a member is there for: words with commas between. Those from before did everything.
alter table member add column roles text not null default 'gateway,orchestrator,tuner,metrics,router';
