import { KeyRound } from 'lucide-react'

import { Button } from '../../shared/ui/button.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import type { Passkey } from './queries.ts'

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void }

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, isSynced, createdAt, lastUsedAt } = passkey
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3 text-14">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-muted" />
      <span className="grid min-w-40 flex-1">
        <span className="break-words font-medium">{name}</span>
        <span className="text-12 text-muted">
          {lastUsedAt === null ? (
            'Not used yet'
          ) : (
            <>
              Last used <DateText at={lastUsedAt} format="relative" />
            </>
          )}
          , added <DateText at={createdAt} format="short" />
          {isSynced && ', synced between devices'}
        </span>
      </span>
      <span className="flex gap-2">
        <Button size="small" onClick={onRename} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button size="small" look="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </span>
    </li>
  )
}
