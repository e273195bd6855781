import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { notifyError, notifySuccess } from '../../shared/ui/notify.ts'
import { SaveBar } from '../../shared/ui/save-bar.tsx'
import { registrationQueries } from '../registration/index.ts'
import type { SignedIn } from '../sessions/index.ts'
import { PhotoEditor } from './photo-editor.tsx'
import { type ProfileFields, toProfileFields } from './profile-request.ts'
import { useUpdateProfile } from './queries.ts'

const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/

export function ProfileForm({ me }: { me: SignedIn }) {
  const countries = useQuery(registrationQueries.listCountries()).data
  const update = useUpdateProfile()
  const { name, country } = me
  // When the user is read again, the fields that were not edited show the new values. The options
  // also apply to each `reset`, which therefore names its own.
  const { register, handleSubmit, formState, reset } = useForm<ProfileFields>({
    values: toProfileFields(me),
    resetOptions: { keepDirtyValues: true },
  })
  const served = getFieldErrors(update.error)
  const { errors, isDirty, dirtyFields } = formState
  const save = handleSubmit((form) =>
    update.mutateAsync(pickEdited(form, dirtyFields)).then(
      ({ user }) => {
        notifySuccess('Profile updated successfully')
        reset(toProfileFields(user), { keepDirtyValues: false })
      },
      (error) => notifyError(getErrorMessage(error, 'Failed to update profile')),
    ),
  )
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
      <Card>
        <CardHeader title="Your details" />
        <div className="grid gap-5 p-5">
          <PhotoEditor name={name} photo={me.photo} />
          <Field
            label="Name"
            hint={
              me.role === 'user'
                ? 'The name on your bank account; an administrator reviews each change.'
                : null
            }
            error={errors.name?.message ?? served.name}
          >
            {(ids) => (
              <Input
                {...ids}
                autoComplete="name"
                {...register('name', { required: 'Name is required' })}
              />
            )}
          </Field>
          <Field
            label="Email"
            hint="A new address replaces this address after you have confirmed it with a code."
            error={errors.email?.message ?? served.email}
          >
            {(ids) => (
              <Input
                {...ids}
                type="email"
                autoComplete="email"
                {...register('email', {
                  required: 'Email is required',
                  pattern: { value: EMAIL, message: 'Invalid email address' },
                })}
              />
            )}
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Phone" optional error={served.phone}>
              {(ids) => <Input {...ids} type="tel" autoComplete="tel" {...register('phone')} />}
            </Field>
            <Field label="Country" optional error={served.country}>
              {(ids) => (
                // The options load after the form. The key then changes, so that React mounts the
                // select element again and the element shows the value of the form.
                <Select key={String(countries?.length)} {...ids} {...register('country')}>
                  {countries === undefined ? (
                    <option value={country}>{me.countryName}</option>
                  ) : (
                    <>
                      {country === '' && <option value="">Not stated</option>}
                      {countries.map((each) => (
                        <option key={each.code} value={each.code}>
                          {each.name}
                        </option>
                      ))}
                    </>
                  )}
                </Select>
              )}
            </Field>
          </div>
        </div>
      </Card>
      <SaveBar
        saveLabel="Save changes"
        isDirty={isDirty}
        isSaving={update.isPending}
        onReset={() => {
          reset(toProfileFields(me), { keepDirtyValues: false })
          update.reset()
        }}
      />
    </form>
  )
}

function pickEdited(
  form: ProfileFields,
  edited: Partial<Record<keyof ProfileFields, boolean>>,
): Partial<ProfileFields> {
  return Object.fromEntries(
    Object.entries(form).filter(([field]) => edited[field as keyof ProfileFields] === true),
  )
}
