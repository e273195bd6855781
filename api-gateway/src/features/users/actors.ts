import type { Person } from '@cairn/gateway-contracts'

/**
 * Returns the user id in an actor such as `user:<id>` or `admin:<id>`. Returns an empty string for
 * the system and for null.
 */
export function getActorId(actor: string | null): string {
  const [kind, id = ''] = (actor ?? '').split(':')
  return kind === 'system' ? '' : id
}

/**
 * Returns an object that contains the person under this key, or an empty object if there is no
 * person.
 */
export function toPersonField<Name extends string>(
  name: Name,
  person: Person | undefined,
): { [Key in Name]?: Person } {
  // The cast is safe because `name` is the only key.
  return (person === undefined ? {} : { [name]: person }) as { [Key in Name]?: Person }
}
