import { z } from 'zod'

export const COMMANDS_PER_REQUEST_MAX = 1_000
/** The maximum number of linked commands, which are always recorded in one batch. */
export const LINKED_COMMANDS_MAX = 100
export const Lane = z.enum(['interactive', 'bulk'])
export type Lane = z.infer<typeof Lane>

export const CommandsRequest = z
  .strictObject({
    ledger: z.int().min(1),
    lane: Lane,
    /** If true, the answers contain only outcome and code, without events. */
    brief: z.boolean().default(false),
    /**
     * If true, the commands are linked: they are decided in order, and either all commands are
     * recorded or no command is recorded.
     */
    atomic: z.boolean().default(false),
    /**
     * If true, one command, or linked commands, are decided on the current state, and nothing is
     * recorded. Idempotency keys are ignored.
     */
    dryRun: z.boolean().default(false),
    commands: z.array(z.unknown()).min(1).max(COMMANDS_PER_REQUEST_MAX),
  })
  .refine(({ atomic, commands }) => !atomic || commands.length <= LINKED_COMMANDS_MAX, {
    path: ['commands'],
    error: `At most ${LINKED_COMMANDS_MAX} commands can be linked`,
  })
  .refine(({ atomic, brief, dryRun, commands }) => {
    return !dryRun || (!brief && (atomic || commands.length === 1))
  }, 'A dry run takes one command or linked commands, and cannot have brief answers')
