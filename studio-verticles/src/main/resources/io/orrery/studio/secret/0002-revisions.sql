-- Secrets are changed by those who have seen the newest one.
alter table project_secrets add column revision bigint not null default 1;
