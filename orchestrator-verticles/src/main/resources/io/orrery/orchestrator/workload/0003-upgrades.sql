-- How the generation of a workload takes over from an earlier one, as JSON.
alter table workloads add column upgrade text
