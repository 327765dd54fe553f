-- Artifacts of tracked runs that were there before they were charged: what each person has in a project.
insert into quota_holdings (kind, name, part, project, user_name, epoch, units, cpu, memory, gpu,
    trials, services, notebooks, runs, storage, since)
  select 'tracked artifacts', e.project || '/' || r.owner, '', e.project, r.owner, 1, 1, 0, 0, 0,
      0, 0, 0, 0, cast(sum(f.bytes) as bigint), min(r.started_at)
    from artifact_files f
    join tracking_runs r on f.tree = 'run/' || r.id
    join tracking_experiments e on e.id = r.experiment
    group by e.project, r.owner
    having sum(f.bytes) > 0
