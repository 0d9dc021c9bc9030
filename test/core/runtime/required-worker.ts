// A task of a pool's thread: reports whether Node requires ES modules there.

export function requiresModules(): boolean {
  return process.features.require_module;
}
