-- Roles of members are changed by those who have seen the newest one.
alter table project_members add column revision bigint not null default 1;
