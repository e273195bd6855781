import type { GrantedRole } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { ChangeReason, toReason } from '../changes/index.ts'
import { sessionQueries } from '../sessions/index.ts'
import { useSetRoles } from './queries.ts'
import { RoleFields, toRoleChoices, toRoleValues } from './role-fields.tsx'
import { RoleList } from './role-list.tsx'

type Administrator = { id: string; name: string; roles: readonly GrantedRole[] }

/** Shows the roles of an administrator and lets an owner change them. */
export function RolesCard({ user }: { user: Administrator }) {
  const [isOpen, setOpen] = useState(false)
  const { data: me } = useQuery(sessionQueries.me())
  const isOther = me !== undefined && me.id !== user.id
  return (
    <Card>
      <CardHeader
        title="Roles"
        action={
          isOther && (
            <Allowed permission="roles.write">
              <Button size="small" onClick={() => setOpen(true)}>
                Change roles
              </Button>
            </Allowed>
          )
        }
      />
      <div className="grid gap-3 p-5 text-14">
        <RoleList roles={user.roles} />
        <TextLink to="/manage/admin/roles" className="w-fit">
          What each role may do
        </TextLink>
      </div>
      <Dialog open={isOpen} onOpenChange={setOpen} title={`Roles of ${user.name}`}>
        {isOpen && <RolesForm user={user} onDone={() => setOpen(false)} />}
      </Dialog>
    </Card>
  )
}

function RolesForm({ user, onDone }: { user: Administrator; onDone: () => void }) {
  const [values, setValues] = useState(() => toRoleValues(user.roles))
  const [reason, setReason] = useState('')
  const save = useSetRoles(user.id)
  const { roles: error, reason: reasonError } = getFieldErrors(save.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate(
      { roles: toRoleChoices(values), ...toReason(reason) },
      {
        onSuccess: () => {
          notifySuccess(`The roles of ${user.name} are changed.`)
          onDone()
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-14 text-muted">
        The change takes effect with this administrator’s next request.
      </p>
      <RoleFields values={values} onChange={setValues} error={error} />
      <ChangeReason value={reason} onChange={setReason} error={reasonError} />
      {error === undefined && reasonError === undefined && (
        <ActFailure error={save.error} fallback="The roles were not changed." />
      )}
      <Button type="submit" look="primary" className="ml-auto" pending={save.isPending}>
        Save roles
      </Button>
    </form>
  )
}
