import { getErrorCode, getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { type ConflictRow, ConflictTable } from '../../shared/ui/conflict-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import {
  type Difference,
  describeSettingPath,
  describeValue,
  listFieldDifferences,
} from './settings-values.ts'

const NEEDS_CONFIRMATION = ['LOCKOUT_RISK', 'MFA_NOT_ENROLLED']

type QuestionsProps = {
  error: unknown
  pending: boolean
  onConfirm: () => void
  onTakeSaved: () => void
  onKeepMine: () => void
  onClose: () => void
}

/**
 * Asks for a confirmation if a save would lock the administrator out or overwrite the save of
 * another administrator.
 */
export function SaveConfirmation(props: QuestionsProps) {
  const { error, pending, onConfirm, onTakeSaved, onKeepMine, onClose } = props
  const code = getErrorCode(error) ?? ''
  const isConflict = code === 'VERSION_CONFLICT'
  const isRisk = NEEDS_CONFIRMATION.includes(code)
  return (
    <Dialog
      open={isConflict || isRisk}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={isConflict ? 'Settings changed by another administrator' : 'Risk of lockout'}
      footer={
        isConflict ? (
          <>
            <Button onClick={onTakeSaved} pending={pending}>
              Use saved settings
            </Button>
            <Button look="primary" onClick={onKeepMine} pending={pending}>
              Keep my changes
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Back</Button>
            <Button look="danger" onClick={onConfirm} pending={pending}>
              Save anyway
            </Button>
          </>
        )
      }
    >
      <div className="grid gap-4 text-14">
        <p>{getErrorMessage(error, 'The settings were not saved.')}</p>
        {isConflict && (
          <ConflictTable caption="Conflicting settings" header="Setting" rows={listRows(error)} />
        )}
      </div>
    </Dialog>
  )
}

function listRows(error: unknown): ConflictRow[] {
  return listConflicts(error).map(({ name, saved, yours }) => ({
    name: describeSettingPath(name),
    saved: describeValue(saved),
    yours: describeValue(yours),
  }))
}

function listConflicts(error: unknown): Difference[] {
  const details = error instanceof Error && 'details' in error ? error.details : null
  const fields = details !== null && typeof details === 'object' && 'fields' in details
  if (!fields || !Array.isArray(details.fields)) return []
  return details.fields
    .filter(
      (field): field is Difference =>
        typeof field === 'object' && field !== null && 'name' in field,
    )
    .flatMap(listFieldDifferences)
}
