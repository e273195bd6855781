import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PasswordInput } from '../../shared/ui/password-input.tsx'
import { StrengthMeter } from './strength-meter.tsx'

const CHARACTERS_MIN = 8

type NewPassword = { currentPassword: string; newPassword: string; passwordConfirm: string }

type NewPasswordFormProps = {
  /**
   * True if the form asks for the current password. False after a reset link or a recent login has
   * authenticated the user.
   */
  isCurrentRequired: boolean
  submitLabel: string
  isPending: boolean
  error: unknown
  failed: string
  onSubmit: (form: NewPassword) => void
  /** Personal data of the user. A password that contains parts of these texts is weak. */
  known?: readonly string[]
  /** The fields that are shown above the passwords. */
  children?: ReactNode
}

export function NewPasswordForm(props: NewPasswordFormProps) {
  const {
    isCurrentRequired,
    submitLabel,
    isPending,
    error,
    failed,
    onSubmit,
    known = [],
    children,
  } = props
  const { register, handleSubmit, formState, getValues, watch } = useForm<NewPassword>({
    defaultValues: { currentPassword: '', newPassword: '', passwordConfirm: '' },
  })
  const served = getFieldErrors(error)
  const { errors } = formState
  return (
    <form
      noValidate
      onSubmit={(event) => void handleSubmit(onSubmit)(event)}
      className="grid gap-5"
    >
      {children}
      {isCurrentRequired && (
        <Field
          label="Current password"
          error={errors.currentPassword?.message ?? served.currentPassword}
        >
          {(ids) => (
            <PasswordInput
              {...ids}
              autoComplete="current-password"
              {...register('currentPassword', { required: 'Current password is required' })}
            />
          )}
        </Field>
      )}
      <Field
        label="New password"
        hint="At least 8 characters; a few words in a row are easier to remember."
        error={errors.newPassword?.message ?? served.newPassword ?? served.password}
      >
        {(ids) => (
          <PasswordInput
            {...ids}
            autoComplete="new-password"
            {...register('newPassword', {
              required: 'New password is required',
              minLength: {
                value: CHARACTERS_MIN,
                message: 'Password must be at least 8 characters',
              },
            })}
          />
        )}
      </Field>
      <StrengthMeter password={watch('newPassword')} known={known} />
      <Field
        label="Confirm password"
        error={errors.passwordConfirm?.message ?? served.passwordConfirm}
      >
        {(ids) => (
          <PasswordInput
            {...ids}
            autoComplete="new-password"
            {...register('passwordConfirm', {
              required: 'Please confirm your password',
              validate: (text) => text === getValues('newPassword') || 'Passwords do not match',
            })}
          />
        )}
      </Field>
      {error !== null && <Notice tone="error">{getErrorMessage(error, failed)}</Notice>}
      <Button type="submit" look="primary" className="w-fit" pending={isPending}>
        {submitLabel}
      </Button>
    </form>
  )
}
