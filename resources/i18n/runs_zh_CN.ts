<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>RunsPage</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Nothing has run yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Write a training script first; its test run and its training then stand here, with log and curves, and a training goes on when this window is closed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
