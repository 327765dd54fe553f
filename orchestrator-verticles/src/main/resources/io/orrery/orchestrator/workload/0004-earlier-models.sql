-- The digests of the models of earlier generations that may still run, with blanks between them.
alter table workloads add column earlier_models text
