import { File as FileIcon, Upload, X } from 'lucide-react'
import { type DragEvent, useEffect, useId, useState } from 'react'

import { IconButton } from './button.tsx'
import { FieldError } from './field.tsx'
import { joinClasses } from './join-classes.ts'

const PICTURES = 'image/png,image/jpeg'

type FileDropProps = {
  label: string
  hint: string
  /** The accepted file types. The default is pictures. */
  accept?: string
  file: File | null
  onFile: (file: File | null) => void
  error?: string | null
}

/**
 * A field for one file, which the user chooses or drops. The field contains a real file input, so
 * it works by keyboard.
 */
export function FileDrop({ label, hint, accept = PICTURES, file, onFile, error }: FileDropProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer.files[0]
    if (dropped !== undefined) onFile(dropped)
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-14">
        {label}
      </label>
      {file === null ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input inside does the same by keyboard
        <div
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={joinClasses(
            'relative grid justify-items-center gap-1 rounded-card border border-dashed px-4 py-6 text-center text-14 focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2',
            isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
          )}
        >
          <Upload aria-hidden="true" className="size-5 text-muted" />
          <span>
            <span className="font-medium text-accent">Choose a file</span>
            <span className="max-sm:hidden"> or drop it here</span>
          </span>
          <span id={`${id}-hint`} className="text-12 text-muted">
            {hint}
          </span>
          <input
            id={id}
            type="file"
            accept={accept}
            aria-describedby={`${id}-hint ${id}-error`}
            onChange={(event) => onFile(event.target.files?.[0] ?? null)}
            className="absolute inset-0 h-full w-full cursor-pointer opacity-0"
          />
        </div>
      ) : (
        <ChosenFile file={file} onRemove={() => onFile(null)} />
      )}
      <div id={`${id}-error`} aria-live="polite">
        {error !== undefined && error !== null && <FieldError>{error}</FieldError>}
      </div>
    </div>
  )
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const preview = usePreview(file)
  return (
    <div className="flex items-center gap-3 rounded-card border border-line-strong bg-surface p-2">
      {preview === null ? (
        <FileIcon aria-hidden="true" className="m-3 size-6 text-muted" />
      ) : (
        <img src={preview} alt="" className="size-12 rounded-sm border border-line object-cover" />
      )}
      <div className="grid min-w-0 flex-1 text-14">
        <span className="truncate font-medium">{file.name}</span>
        <span className="text-12 text-muted">{Math.max(1, Math.round(file.size / 1024))} KB</span>
      </div>
      <IconButton label={`Remove ${file.name}`} onClick={onRemove}>
        <X aria-hidden="true" className="size-5" />
      </IconButton>
    </div>
  )
}

function usePreview(file: File): string | null {
  const [preview, setPreview] = useState<string | null>(null)
  useEffect(() => {
    if (!file.type.startsWith('image/')) return
    const url = URL.createObjectURL(file)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  return preview
}
