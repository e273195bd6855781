import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Runs a file of this folder in a separate process, so that its garbage collection does not affect
 * the measured process.
 */
export async function runInChild<Result>(file: string, job: object): Promise<Result> {
  const child = fork(join(import.meta.dirname, file))
  try {
    return await new Promise<Result>((resolve, reject) => {
      child.once('message', (message) => {
        // The cast is safe, because the parent and the child process both run files of this folder.
        const answer = message as { result: Result } | { problem: string }
        if ('problem' in answer) reject(new Error(answer.problem))
        else resolve(answer.result)
      })
      child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
      child.send(job)
    })
  } finally {
    await endChild(child)
  }
}

/** Waits until the child has ended, because its CPU time is counted only then. */
async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

/** Receives one job in the child process and sends one answer. */
export function answerJob<Job, Result>(run: (job: Job) => Promise<Result>): void {
  process.once('message', (message) => {
    // The cast is safe, because only files of this folder send messages.
    run(message as Job).then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    )
  })
  process.once('disconnect', () => process.exit())
}
