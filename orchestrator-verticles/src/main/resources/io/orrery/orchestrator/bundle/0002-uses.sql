-- The users of code: it is kept as long as there is one.
create table code_uses (
  digest text not null,
  used_by text not null,
  primary key (digest, used_by)
)
