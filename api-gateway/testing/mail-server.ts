import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** Where the mail server ends or stops the session. */
export type Fault = 'before greeting' | 'silent' | 'after greeting' | 'after content'

export interface MailServer {
  url: string
  /** The mails that the server has received completely. */
  received: readonly string[]
  countConnections(): number
  setFault(fault: Fault | null): void
  close(): Promise<void>
}

/** Starts a mail server that understands a session without TLS, and can fail in it. */
export async function startMailServer(): Promise<MailServer> {
  const received: string[] = []
  const sockets = new Set<Socket>()
  let fault: Fault | null = null
  let connections = 0

  const server = createServer((socket) => {
    sockets.add(socket)
    connections += 1
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (fault === 'silent') return
    if (fault === 'before greeting') return void socket.end()
    socket.write('220 ready\r\n')
    let rest = ''
    let content: string | null = null
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (fault === 'after greeting') return void socket.destroy()
        if (content === null) {
          socket.write(`${answerCommand(line)}\r\n`)
          if (line === 'DATA') content = ''
        } else if (line === '.') {
          received.push(content)
          content = null
          if (fault === 'after content') return void socket.destroy()
          socket.write('250 accepted\r\n')
        } else content += `${line}\n`
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    countConnections: () => connections,
    setFault: (next) => {
      fault = next
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerCommand(line: string): string {
  if (line === 'DATA') return '354 go on'
  return line === 'QUIT' ? '221 bye' : '250 done'
}
