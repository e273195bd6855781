const PERSONAL = ['name', 'gender', 'phone', 'email', 'password', 'passwordConfirm', 'reason']
const ADDRESS = ['country', 'firstAddress', 'secondAddress', 'townCity']

/** Returns the step that holds the first field in error; the first step for an unknown field. */
export function findStepOfErrors(fields: readonly string[]): 1 | 2 {
  if (fields.some((field) => PERSONAL.includes(field))) return 1
  return fields.some((field) => ADDRESS.includes(field)) ? 2 : 1
}
