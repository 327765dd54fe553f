alter table pets rename column name to called;
