import { describeFileTooLarge, RECEIPT_BYTES_MAX } from '@cairn/gateway-contracts'
import { useId, useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Avatar } from '../../shared/ui/avatar.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { FieldError } from '../../shared/ui/field.tsx'
import { describePictureLimits } from '../../shared/ui/picture-file.ts'
import { useDeletePhoto, usePutPhoto } from './queries.ts'

export function PhotoEditor({ name, photo }: { name: string; photo: string }) {
  const id = useId()
  const put = usePutPhoto()
  const remove = useDeletePhoto()
  const [refusal, setRefusal] = useState<string | null>(null)
  const hasPhoto = photo !== '' && photo !== 'default.png'
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    if (!['image/png', 'image/jpeg'].includes(file.type)) {
      return setRefusal('The photo must be a PNG or JPG image')
    }
    if (file.size > RECEIPT_BYTES_MAX) return setRefusal(describeFileTooLarge(RECEIPT_BYTES_MAX))
    setRefusal(null)
    put.mutate(file)
  }
  const failure = put.error ?? remove.error
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar name={name} photo={photo} className="size-16 text-28" />
        <div className="grid gap-1.5">
          <div className="flex flex-wrap items-center gap-2">
            <label
              htmlFor={id}
              aria-busy={put.isPending || undefined}
              className="inline-flex h-8 cursor-pointer items-center rounded-card border border-line-strong bg-surface px-3 font-medium text-14 focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-sunken"
            >
              {put.isPending ? 'Uploading…' : hasPhoto ? 'Change photo' : 'Add a photo'}
              <input
                id={id}
                type="file"
                accept="image/png,image/jpeg"
                className="sr-only"
                onChange={(event) => {
                  choose(event.target.files?.[0])
                  // After a failure, the input is cleared, so that the user can choose the same
                  // file again.
                  event.target.value = ''
                }}
              />
            </label>
            {hasPhoto && (
              <Button
                size="small"
                look="quiet"
                pending={remove.isPending}
                onClick={() => remove.mutate()}
              >
                Remove photo
              </Button>
            )}
          </div>
          <p className="text-12 text-muted">{describePictureLimits()}</p>
        </div>
      </div>
      <div aria-live="polite">
        {refusal !== null && <FieldError>{refusal}</FieldError>}
        {refusal === null && failure !== null && (
          <FieldError>{getErrorMessage(failure, 'The photo could not be changed.')}</FieldError>
        )}
      </div>
    </div>
  )
}
