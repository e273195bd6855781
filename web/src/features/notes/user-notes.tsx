import { type FormEvent, useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Textarea } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { type UserDetail, useAddNote } from './queries.ts'

export function UserNotes({ detail: { user, notes } }: { detail: UserDetail }) {
  const [text, setText] = useState('')
  const add = useAddNote(user.id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending || text.trim() === '') return
    add.mutate(text, { onSuccess: () => setText('') })
  }
  return (
    <Card className="grid gap-5 p-5">
      <form onSubmit={submit} className="grid gap-3">
        <Field label="New note" hint="Visible to administrators, and cannot be changed later.">
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              maxLength={2000}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {add.isError && (
          <Notice tone="error">{getErrorMessage(add.error, 'The note was not added.')}</Notice>
        )}
        <Button
          type="submit"
          pending={add.isPending}
          disabled={text.trim() === ''}
          className="justify-self-end"
        >
          Add note
        </Button>
      </form>
      {notes.length === 0 ? (
        <p className="text-14 text-muted">There are no notes about {user.name}.</p>
      ) : (
        <ul className="grid gap-4">
          {notes.map((note) => (
            <li key={note.id} className="border-line border-t pt-4 text-14">
              <p className="whitespace-pre-wrap break-words">{note.text}</p>
              <p className="mt-1 text-12 text-muted">
                {note.author?.name ?? 'Unknown'}, <DateText at={note.createdAt} format="moment" />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
