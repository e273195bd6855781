import { getErrorCode, getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
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
        {isConflict && <Differences fields={listConflicts(error)} />}
      </div>
    </Dialog>
  )
}

function Differences({ fields }: { fields: readonly Difference[] }) {
  if (fields.length === 0) return null
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-14">
        <caption className="sr-only">Conflicting settings</caption>
        <thead>
          <tr className="text-left text-12 text-muted">
            <th scope="col" className="py-2 pr-3 font-medium">
              Setting
            </th>
            <th scope="col" className="py-2 pr-3 font-medium">
              Saved
            </th>
            <th scope="col" className="py-2 font-medium">
              Yours
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, saved, yours }) => (
            <tr key={name} className="border-line border-t align-top">
              <td className="py-2 pr-3 font-medium">{describeSettingPath(name)}</td>
              <td className="break-words py-2 pr-3">{describeValue(saved)}</td>
              <td className="break-words py-2">{describeValue(yours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
