import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { ACCOUNT_READY, PASSWORD_CHANGED } from '../../shared/session/login-messages.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { usePageTitle } from '../../shared/ui/page-title.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useLocation, useNavigate } from '../../shared/url/navigation.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { linkQueries, useResetPassword } from './queries.ts'

export function ResetPasswordPage() {
  // The token is in the fragment of the URL, because browsers do not send the fragment to a server.
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token') ?? ''
  const link = useQuery({ ...linkQueries.readLinkPurpose(token), enabled: token !== '' })
  const isSetup = link.data?.purpose === 'setup'
  const title = usePageTitle(isSetup ? 'Set up your account' : undefined)
  return (
    <div className="grid gap-6">
      <h1 className="font-semibold font-serif text-28">{title}</h1>
      {token === '' ? (
        <BadLink>The link is incomplete. Open it again from the email.</BadLink>
      ) : link.isError ? (
        <BadLink>
          {getErrorMessage(link.error, 'The link could not be checked. Please reload this page.')}
        </BadLink>
      ) : link.data === undefined ? (
        <Skeleton className="h-64 w-full rounded-card" />
      ) : (
        <Form token={token} isAccountNeeded={link.data.isAccountNeeded} isSetup={isSetup} />
      )}
    </div>
  )
}

function BadLink({ children }: { children: string }) {
  return (
    <>
      <Notice tone="error">{children}</Notice>
      <ButtonLink to="/users/forgotPassword" look="primary" className="w-fit">
        Request a new link
      </ButtonLink>
    </>
  )
}

type FormProps = { token: string; isAccountNeeded: boolean; isSetup: boolean }

function Form({ token, isAccountNeeded, isSetup }: FormProps) {
  const navigate = useNavigate()
  const reset = useResetPassword()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const served = getFieldErrors(reset.error)
  return (
    <NewPasswordForm
      isCurrentRequired={false}
      submitLabel={isSetup ? 'Create the account' : 'Set the new password'}
      isPending={reset.isPending}
      error={reset.error}
      failed="The password could not be set. Please try again."
      onSubmit={({ newPassword, passwordConfirm }) =>
        reset.mutate(
          {
            token,
            password: newPassword,
            passwordConfirm,
            ...(isAccountNeeded ? { name, email } : {}),
          },
          {
            onSuccess: () => {
              const message = isSetup ? ACCOUNT_READY : PASSWORD_CHANGED
              void navigate(`/users/login?${new URLSearchParams({ message })}`, { replace: true })
            },
          },
        )
      }
    >
      {isAccountNeeded ? (
        <>
          <p className="text-14 text-muted">
            This link creates the first administrator of this site. It works once.
          </p>
          <Field label="Name" error={served.name}>
            {(ids) => (
              <Input
                {...ids}
                autoComplete="name"
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
                autoComplete="username"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
        </>
      ) : (
        <p className="text-14 text-muted">
          All sessions end, and withdrawals may be paused for a while. A second factor does not
          change.
        </p>
      )}
    </NewPasswordForm>
  )
}
