import { spawn } from 'node:child_process'
import type { PostgresUser } from './postgres-user.ts'

/* Runs the programs of PostgreSQL (initdb, pg_ctl) as its user. */

export function runCommand(program: string, args: string[], runner: PostgresUser): Promise<{ code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...runner,
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    child.on('error', reject)
    // 'exit', not 'close': the server that pg_ctl starts may keep the pipe open
    child.on('exit', (code) => {
      child.stderr.destroy()
      resolve({ code, stderr })
    })
  })
}

/** The line of the output of a program that says why it failed. */
export const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
