import { AdminRole, type GrantedRole, type RoleChoice } from '@cairn/gateway-contracts'

import { Field } from '../../shared/ui/field.tsx'
import { Checkbox, Input } from '../../shared/ui/inputs.tsx'
import { ROLE_HINTS, ROLE_LABELS } from './role-labels.ts'

/**
 * `endDay` is the last day on which an auditor has the role, such as `2026-12-31`. It is empty if
 * the role has no end.
 */
export type RoleValues = { roles: readonly AdminRole[]; endDay: string }

export function toRoleValues(granted: readonly GrantedRole[]): RoleValues {
  const endsAt = granted.find(({ role }) => role === 'auditor')?.endsAt ?? null
  return { roles: granted.map(({ role }) => role), endDay: endsAt?.slice(0, 10) ?? '' }
}

export function toRoleChoices({ roles, endDay }: RoleValues): RoleChoice[] {
  return roles.map((role) => ({
    role,
    endsAt: role === 'auditor' && endDay !== '' ? `${endDay}T23:59:59.000Z` : null,
  }))
}

type FieldsProps = {
  values: RoleValues
  onChange: (values: RoleValues) => void
  error: string | undefined
}

export function RoleFields({ values, onChange, error }: FieldsProps) {
  const toggle = (role: AdminRole) => {
    const isChosen = values.roles.includes(role)
    const roles = isChosen ? values.roles.filter((each) => each !== role) : [...values.roles, role]
    onChange({ ...values, roles })
  }
  return (
    <div className="grid gap-3">
      <fieldset className="grid gap-1">
        <legend className="pb-1 font-medium text-14">Roles</legend>
        {AdminRole.options.map((role) => (
          <Checkbox
            key={role}
            checked={values.roles.includes(role)}
            onChange={() => toggle(role)}
            label={
              <>
                <span className="font-medium">{ROLE_LABELS[role]}</span>
                <span className="block text-12 text-muted">{ROLE_HINTS[role]}</span>
              </>
            }
          />
        ))}
      </fieldset>
      {error !== undefined && (
        <p role="alert" className="text-14 text-declined">
          {error}
        </p>
      )}
      {values.roles.includes('auditor') && (
        <Field
          label="Last day as auditor"
          optional
          hint="The role ends at the end of this day (UTC)."
        >
          {(ids) => (
            <Input
              {...ids}
              type="date"
              value={values.endDay}
              onChange={(event) => onChange({ ...values, endDay: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  )
}
