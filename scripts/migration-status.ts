// npm run migration-status -- --format table|json|csv|html: the state of the migration. The same as `causeway status`.
process.argv.splice(2, 0, 'status');
await import('../src/cli/main.ts');
