import { approverTable, dualControlTable } from '../../src/domain/controls/approver.ts'
import { soleActTable } from '../../src/domain/controls/sole-acts.ts'
import { model } from '../../src/domain/model.ts'
import { importedFileTable } from '../../src/domain/opening-balances/imported-file.ts'
import { rulesTable } from '../../src/domain/rules/money-rules.ts'
import { transactionTable } from '../../src/domain/transactions/transaction.ts'
import type { Context, Model } from '../../src/log/model.ts'
import type { View } from '../../src/log/view.ts'

const withoutThreshold = changeView(({ table, row }) =>
  table === rulesTable.name && row !== null ? { ...row, approvalThresholdMinor: null } : undefined,
)

/** Copies of the model. In each copy, one check of dual control is disabled. */
export const CONTROL_HOLES = {
  'small acts are not added up': changeView(({ table }) =>
    table === soleActTable.name ? null : undefined,
  ),
  'the threshold is not checked': withoutThreshold,
  'reversals are not checked': {
    ...model,
    decide: (command, view, context) => {
      const isReversal = command.type === 'ReverseDeposit' || command.type === 'ReverseWithdrawal'
      return (isReversal ? withoutThreshold : model).decide(command, view, context)
    },
  },
  'an asset without a threshold is not checked': {
    ...model,
    decide: (command, view, context) => {
      const isOtherAsset = command.type === 'MoveAsset'
      return (isOtherAsset ? withoutThreshold : model).decide(command, view, context)
    },
  },
  'the permission of opening balances is not checked': {
    ...model,
    decide: (command, view, context) => {
      if (command.type !== 'ImportBalance') return model.decide(command, view, context)
      const peek: View['peek'] = (table, key) => {
        const row = view.peek(table, key)
        if (table.name !== importedFileTable.name) return row
        const file = row ?? { fileSha256: key, line: 0, lastLine: 0, lastSeq: 0n }
        // The cast is safe, because the row has the columns of the table.
        return { ...file, permittedAt: context.recordedAtMs } as unknown as typeof row
      }
      return model.decide(command, { ...view, peek }, context)
    },
  },
  'the mode is not checked': changeView(({ table, row }) =>
    table === dualControlTable.name && row !== null ? { ...row, mode: 'single' } : undefined,
  ),
  'the number of approvers is not checked': changeView(({ table, row }) =>
    table === dualControlTable.name && row !== null ? { ...row, activeCount: 9 } : undefined,
  ),
  'new approvers approve at once': changeView(({ table, row }) =>
    table === approverTable.name && row !== null ? { ...row, addedAt: 0 } : undefined,
  ),
  'removed approvers still approve': changeView(({ table, row }) =>
    table === approverTable.name && row !== null ? { ...row, isActive: true } : undefined,
  ),
  'a hold is ignored': changeView(({ table, row }) =>
    table === transactionTable.name && row !== null ? { ...row, holdReason: null } : undefined,
  ),
  'an approval of other content counts': changeCommand((command, context) => {
    const requestHash = Buffer.from(command.approval?.commandSha256 ?? '', 'hex')
    return { command, context: { ...context, requestHash } }
  }),
  'an old approval counts': changeCommand((command, context) => {
    const approvedAt = new Date(context.recordedAtMs).toISOString()
    const { approval } = command
    if (approval === null || approval === undefined) return { command, context }
    const approvals = approval.approvals.map((one) => ({ ...one, approvedAt }))
    return { command: { ...command, approval: { ...approval, approvals } }, context }
  }),
} as const satisfies Record<string, Model>
export type ControlHole = keyof typeof CONTROL_HOLES

type Changed = { table: string; row: Readonly<Record<string, unknown>> | null }

/** Replaces rows that the deciders read. `change` returns undefined to keep a row. */
function changeView(change: (read: Changed) => object | null | undefined): Model {
  return {
    ...model,
    decide: (command, view, context) => {
      const wrapPeek = (read: View['peek']): View['peek'] => {
        return (table, key) => {
          const row = read(table, key)
          if (row === undefined) return row
          const changed = change({ table: table.name, row })
          // The cast is safe, because the change keeps the columns of the table.
          return (changed === undefined ? row : changed) as typeof row
        }
      }
      const blind = {
        ...view,
        peek: wrapPeek(view.peek),
        find: wrapPeek(view.find) as View['find'],
      }
      return model.decide(command, blind, context)
    },
  }
}

function changeCommand(
  change: (
    command: Parameters<Model['decide']>[0],
    context: Context,
  ) => { command: Parameters<Model['decide']>[0]; context: Context },
): Model {
  return {
    ...model,
    decide: (given, view, before) => {
      const { command, context } = change(given, before)
      return model.decide(command, view, context)
    },
  }
}
