import type { SavedView } from '@cairn/gateway-contracts'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'

const NAME_MAX = 60

type DialogProps = {
  isOpen: boolean
  views: readonly SavedView[]
  /** The search parameters of the list that is shown now. */
  search: string
  onChange: (views: readonly SavedView[]) => Promise<unknown>
  onClose: () => void
}

/** Saves the current search, filters and order under a name, and removes saved views. */
export function SavedViewsDialog({ isOpen, views, search, onChange, onClose }: DialogProps) {
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>(null)
  const change = async (next: readonly SavedView[]) => {
    try {
      await onChange(next)
      setError(null)
      setName('')
    } catch (caught) {
      setError(caught)
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const given = name.trim()
    if (given === '') return
    // A name identifies one view, so saving under an existing name replaces the view.
    void change([...views.filter((view) => view.name !== given), { name: given, search }])
  }
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title="Saved views"
      description="A view is the search, the filters and the order of this list."
    >
      <form onSubmit={save} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field label="Name of the current view">
            {(ids) => (
              <Input
                {...ids}
                maxLength={NAME_MAX}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          Save
        </Button>
      </form>
      {error !== null && (
        <Notice tone="error">{getErrorMessage(error, 'The view could not be saved.')}</Notice>
      )}
      {views.length === 0 ? (
        <p className="pt-4 text-14 text-muted">No saved views yet.</p>
      ) : (
        <ul className="divide-y divide-line pt-4">
          {views.map((view) => (
            <li key={view.name} className="flex items-center justify-between gap-3 text-14">
              <span className="min-w-0 truncate">{view.name}</span>
              <IconButton
                label={`Remove ${view.name}`}
                onClick={() => void change(views.filter((each) => each.name !== view.name))}
              >
                <X aria-hidden="true" className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
