import { readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isSystemError } from './system-error.ts'

function createDatabaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('failed', 6, 'error'), { code })
}

function catchError(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return null
}

test('errors of a disk, a connection or the server show nothing about the log', () => {
  const missing = catchError(() => readFileSync('/no/such/file'))
  const lost = new Error('Connection terminated unexpectedly')
  const codes = ['08006', '53100', '57P01', '57014', '58030'].map(createDatabaseError)
  expect([missing, lost, ...codes].filter((error) => !isSystemError(error))).toEqual([])
})

test('errors of bytes and of the schema can be the effect of a change', () => {
  const invalid = catchError(() => JSON.parse('{'))
  const codes = ['42703', '42P01', '22P02', 'XX001'].map(createDatabaseError)
  expect([invalid, new Error('event 7 is missing'), ...codes].filter(isSystemError)).toEqual([])
})
