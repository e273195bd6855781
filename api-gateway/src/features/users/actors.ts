import type { Person } from '@cairn/gateway-contracts'

/** The user id in an actor such as `user:<id>` or `admin:<id>`; empty for the system and for null. */
export function getActorId(actor: string | null): string {
  const [kind, id = ''] = (actor ?? '').split(':')
  return kind === 'system' ? '' : id
}

/** An object with the person under this name; empty if there is no person. */
export function toPersonField<Name extends string>(
  name: Name,
  person: Person | undefined,
): { [Key in Name]?: Person } {
  // One key, which is the name itself.
  return (person === undefined ? {} : { [name]: person }) as { [Key in Name]?: Person }
}
