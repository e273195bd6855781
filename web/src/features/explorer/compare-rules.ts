type Values = Readonly<Record<string, unknown>>

/** The type of the events that set all money rules. */
export const RULES_EVENT = 'MoneyRulesSet'

/**
 * Returns the data of an event with the old and the new value of each changed rule, if `previous`
 * is the data of the rules before it. Otherwise returns the data unchanged.
 */
export function compareRules(data: Values, previous: Values | undefined): Values {
  if (previous === undefined || !('rules' in data) || !('rules' in previous)) return data
  const { rules, ...rest } = data
  return { ...rest, before: previous.rules, after: rules }
}
