<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>DataStep</name>
        <message numerus="yes">
            <source>%n broken files are left out</source>
            <translation>
                <numerusform>%n broken files are left out</numerusform>
                <numerusform>%n broken files are left out</numerusform>
            </translation>
        </message>
    </context>
    <context>
        <name>ScriptStep</name>
        <message numerus="yes">
            <source>%n lines</source>
            <translation>
                <numerusform>%n lines</numerusform>
                <numerusform>%n lines</numerusform>
            </translation>
        </message>
    </context>
</TS>
