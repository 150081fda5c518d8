; Inno Setup's description of the installer for Windows: menu entry, file type, and the program on the
; user's PATH. Made of dist\termexplorer, which PyInstaller builds by program.spec:
;     iscc /DVersion=0.1.0 packaging\windows.iss
; It has not been run by us yet.
#ifndef Version
  #error Say which: iscc /DVersion=...
#endif

[Setup]
AppId=termexplorer
AppName=termexplorer
AppVersion={#Version}
AppPublisher=termexplorer developers
DefaultDirName={autopf}\termexplorer
DefaultGroupName=termexplorer
DisableProgramGroupPage=yes
LicenseFile=..\LICENSE
OutputDir=..\dist
OutputBaseFilename=termexplorer_{#Version}_windows
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ChangesAssociations=yes
ChangesEnvironment=yes
Compression=lzma2
SolidCompression=yes
UninstallDisplayIcon={app}\termexplorer.exe

[Files]
Source: "..\dist\termexplorer\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[InstallDelete]
; of an older version nothing stays between the files of this one
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\termexplorer"; Filename: "{app}\termexplorer.exe"; WorkingDir: "{userdocs}"

[Registry]
Root: HKA; Subkey: "Software\Classes\.termstudy"; ValueType: string; ValueData: "termexplorer.study"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\termexplorer.study"; ValueType: string; ValueData: "Study pack of termexplorer"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\termexplorer.study\DefaultIcon"; ValueType: string; ValueData: "{app}\termexplorer.exe,0"
Root: HKA; Subkey: "Software\Classes\termexplorer.study\shell\open\command"; ValueType: string; ValueData: """{app}\termexplorer.exe"" judge ""%1"""
; the folder is left on PATH by an uninstallation: others may have changed that value since
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Check: NotOnPath; Flags: preservestringtype

[Code]
function NotOnPath: Boolean;
var
  Path: String;
begin
  if not RegQueryStringValue(HKEY_CURRENT_USER, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(ExpandConstant('{app}')) + ';', ';' + Uppercase(Path) + ';') = 0;
end;
