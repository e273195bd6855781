import { expect, test } from 'vitest'
import { settings } from './setting-descriptors.ts'
import { formShape, type Group, storedShape } from './setting-kinds.ts'

const groups: Readonly<Record<string, Group>> = settings

test('the documentation lists every setting as it is', async () => {
  const tables = Object.entries(groups).map(([group, described]) =>
    [
      `## ${group}`,
      '',
      '| setting | key | values | initially | stored in | weakens a control |',
      '|---|---|---|---|---|---|',
      ...Object.entries(described).map(([name, setting]) => {
        const { label, hint = '', home, initial, initialInDemo, weakenedBy = '' } = setting
        const first = initial === undefined ? '' : JSON.stringify(initial)
        const demo = initialInDemo === undefined ? '' : ` (demo: ${JSON.stringify(initialInDemo)})`
        return `| ${[label, `\`${name}\``, hint, `${first}${demo}`, home, weakenedBy].join(' | ')} |`
      }),
      '',
    ].join('\n'),
  )
  const page = [
    '# Settings',
    '',
    'Generated from the descriptors in `api-gateway/contracts/src/*-settings.ts` by `setting-descriptors.test.ts`. Settings stored in the',
    'ledger are money rules: each change is an event.',
    '',
    ...tables,
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../../docs/settings.md')
})

test('a required setting is required in the form, an optional one is not', () => {
  const shape = formShape(settings.security)
  expect(shape.loginAttempts.safeParse(undefined).success).toBe(false)
  expect(shape.loginAttempts.parse('7')).toBe(7)
  expect(shape.credentialHoldHours.parse(undefined)).toBeUndefined()
  expect(shape.credentialHoldHours.safeParse(73).error?.issues[0]?.message).toBe(
    'Withdrawal pause after a credential change must be a whole number from 0 to 72',
  )
})

test('money rules are not stored by the gateway', () => {
  const stored = Object.values(groups).flatMap((group) => Object.keys(storedShape(group)))
  expect(stored).toContain('credentialHoldHours')
  expect(stored).not.toContain('approvalThreshold')
  expect(stored).not.toContain('depositFee')
})
