import { type Static, Type } from 'typebox';
import { Text, Timestamp, Uuid } from '#api';

export const NewDomainRule = Type.Object({
  domain: Text(253, { description: 'What stands behind the `@`, as `example.org`; nothing below it' }),
  team: Text(100, { description: 'A team of which the caller is an admin' }),
});
export type NewDomainRule = Static<typeof NewDomainRule>;

export const DomainRule = Type.Object({
  id: Uuid,
  domain: Type.String({ description: 'In lower case and ASCII, as `xn--bcher-kva.example`' }),
  team: Type.Object({ id: Uuid, name: Type.String(), color: Type.String(), icon: Type.String() }),
  created_at: Timestamp,
});
export type DomainRule = Static<typeof DomainRule>;
