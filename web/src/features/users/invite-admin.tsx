import { inviteAdmin } from '@cairn/gateway-contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useState } from 'react'

import { call } from '../../shared/api/client.ts'
import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { RoleFields, type RoleValues, toRoleChoices } from '../roles/index.ts'
import { userQueries } from './queries.ts'

export function InviteAdmin() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserPlus aria-hidden="true" className="size-4" />
        Invite an administrator
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Invite an administrator">
        {isOpen && <InvitationForm onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  )
}

function InvitationForm({ onDone }: { onDone: () => void }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [roles, setRoles] = useState<RoleValues>({ roles: [], endDay: '' })
  const [reason, setReason] = useState('')
  const queryClient = useQueryClient()
  const invite = useMutation({
    mutationFn: () =>
      call(inviteAdmin, {
        body: { name, email, roles: toRoleChoices(roles), ...toReason(reason) },
      }),
    onSuccess: ({ user }) => {
      notifySuccess(`A link was sent to ${user.email}.`)
      onDone()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: userQueries.all }),
  })
  const served = getFieldErrors(invite.error)
  const isFieldError = [served.name, served.email, served.roles, served.reason].some(
    (error) => error !== undefined,
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!invite.isPending) invite.mutate()
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-14 text-muted">
        The owner of the mailbox sets the password. If two administrators must decide, another owner
        approves the account first.
      </p>
      <Field label="Name" error={served.name}>
        {(ids) => (
          <Input
            {...ids}
            autoComplete="off"
            maxLength={120}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Email" error={served.email}>
        {(ids) => (
          <Input
            {...ids}
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <RoleFields values={roles} onChange={setRoles} error={served.roles} />
      <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      {!isFieldError && <ActFailure error={invite.error} fallback="The invitation was not sent." />}
      <Button type="submit" look="primary" className="ml-auto" pending={invite.isPending}>
        Invite
      </Button>
    </form>
  )
}
