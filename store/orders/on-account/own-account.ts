import { eq } from 'drizzle-orm'
import type { Database } from '#platform/database.ts'
import { companyMembers } from '#store/companies/table.ts'
import type { User } from '#store/identity/contract.ts'
import type { OwnAccount, OwnStatement } from './contract.ts'
import { companyNotFoundError, leftToOrderCents } from './credits.ts'
import { findReceivable, findStatement, findToBePaid, type StatementDays } from './receivables.ts'
import { companyCredits } from './table.ts'

/* What the members of a company see of what it owes. Nothing is read of a company that was never approved anything: anybody can found one. */

type Member = Pick<User, 'id'>

/** @returns null: the account is of no company, or nothing was ever approved for it */
export async function showOwnAccount(db: Database, member: Member): Promise<OwnAccount | null> {
  const companyId = await findOwnCompany(db, member)
  if (companyId === undefined) return null
  const { credit, ...receivable } = await findReceivable(db, companyId)
  if (!credit) return null // removed meanwhile
  const { limitCents, dueDays } = credit
  const left = leftToOrderCents({ limitCents, ...receivable })
  return { ...receivable, credit: { limitCents, dueDays }, leftToOrderCents: left, ...(await findToBePaid(db, companyId)) }
}

/** @throws {HttpError} 404 the account is of no company, or nothing was ever approved for it */
export async function showOwnStatement(db: Database, member: Member, period: StatementDays): Promise<OwnStatement> {
  const companyId = await findOwnCompany(db, member)
  if (companyId === undefined) throw companyNotFoundError()
  const { company } = await findReceivable(db, companyId)
  return { company, ...(await findToBePaid(db, companyId)), ...(await findStatement(db, companyId, period)) }
}

/** The company of the account, if anything was ever approved for it. */
async function findOwnCompany(db: Database, { id }: Member): Promise<string | undefined> {
  const [member] = await db
    .select({ companyId: companyMembers.companyId })
    .from(companyMembers)
    .innerJoin(companyCredits, eq(companyCredits.companyId, companyMembers.companyId))
    .where(eq(companyMembers.userId, id))
  return member?.companyId
}
